# An error with a text of 40 MB and a class name that is markup.
# ends: error
raise type("<script>" * 9, (Exception,), {})("t" * (40 << 20))
