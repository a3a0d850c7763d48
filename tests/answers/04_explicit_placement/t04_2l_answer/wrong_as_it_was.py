# reason: two parameters that share memory become two matrices when they move
# fails: t04_2l_test
# Task 4.2l: repair Tied
class Tied(nn.Module):
    """Looks words up in a table and scores all words with that same table."""

    def __init__(self, words, width):
        super().__init__()
        self.embed = nn.Embedding(words, width)
        self.score = nn.Linear(width, words, bias=False)
        self.score.weight.data = self.embed.weight.data  # one matrix for both

    def forward(self, tokens):  # (B, T) of int64
        return self.score(self.embed(tokens))  # (B, T, words)
