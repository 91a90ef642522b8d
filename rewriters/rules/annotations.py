"""The names by which a rule's parameters ask for tensors of a kind; ``rewriters.rule`` says what each admits."""

TENSOR_KINDS = ("BoolTensor", "IntTensor", "FloatTensor", "ComplexTensor")
TENSORS = ("Tensor", "Array")
"""What targets call their class of tensors."""
RANK = "Rank"
FOREIGN = "Foreign"
WORD = "Literal"
