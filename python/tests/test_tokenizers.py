import pytest

import heed


def test_encodes_and_decodes(stored):
    tokenizer = heed.Tokenizer.open(stored / "source.words")
    ids = tokenizer.encode("seven one")
    assert len(ids) == 2 and all(isinstance(id, int) for id in ids)
    assert tokenizer.tokens("seven one") == ["seven", "one"]
    assert [tokenizer.piece(id) for id in ids] == ["seven", "one"]
    assert tokenizer.decode(ids) == "seven one"
    assert tokenizer.encode("never-seen") == [1]
    assert max(ids) < len(tokenizer)


def test_is_the_models(stored):
    model = heed.Translator(stored)
    assert model.source_tokenizer.encode("seven one") == heed.Tokenizer.open(stored / "source.words").encode("seven one")
    assert model.target_tokenizer.tokens("eins sieben") == ["eins", "sieben"]


def test_refuses_what_is_none_of_it(stored, tmp_path):
    tokenizer = heed.Tokenizer.open(stored / "source.words")
    with pytest.raises(IndexError, match="ids must be below"):
        tokenizer.decode([len(tokenizer)])
    with pytest.raises(IndexError):
        tokenizer.piece(-1)
    with pytest.raises(heed.InputError, match="lines:1: expected UTF-8"):
        tokenizer.encode("\ud800")
    with pytest.raises(heed.FileError, match="nothing.words: cannot open"):
        heed.Tokenizer.open(tmp_path / "nothing.words")
