# A value whose text has 40 MB.
# ends: ok
class Long:
    def __repr__(self):
        return "u" * (40 << 20)


Long()
