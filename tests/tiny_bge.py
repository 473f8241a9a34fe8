"""Random XLM-RoBERTa models of a megabyte, in the files of the BGE models: for shapes, never for quality."""

from __future__ import annotations

from pathlib import Path
from typing import Any

TEXTS = ["日月湾适合冲浪", "椰子鸡用椰子水煮文昌鸡", "Riyue Bay is a surfing base"]


def build(folder: Path) -> None:
    """Write a reranker to `folder / "reranker"` and an embedder to `folder / "embedder"`; takes seconds."""
    import torch
    from transformers import XLMRobertaConfig, XLMRobertaForSequenceClassification, XLMRobertaModel

    torch.manual_seed(0)
    tokenizer = _tokenizer()
    sizes = {
        "vocab_size": len(tokenizer),
        "hidden_size": 64,
        "num_hidden_layers": 2,
        "num_attention_heads": 4,
        "intermediate_size": 128,
        "max_position_embeddings": 514,
        "type_vocab_size": 1,
        "pad_token_id": 1,
        "bos_token_id": 0,
        "eos_token_id": 2,
        "initializer_range": 0.5,  # with the default all scores are nearly equal
    }
    models = {
        "reranker": XLMRobertaForSequenceClassification(XLMRobertaConfig(num_labels=1, **sizes)),
        "embedder": XLMRobertaModel(XLMRobertaConfig(**sizes)),
    }
    for name, model in models.items():
        model.save_pretrained(folder / name)
        tokenizer.save_pretrained(folder / name)


def _tokenizer() -> Any:
    from tokenizers import Tokenizer, decoders, models, normalizers, pre_tokenizers, trainers
    from transformers import XLMRobertaTokenizerFast

    unigram = Tokenizer(models.Unigram())
    unigram.normalizer = normalizers.NFKC()
    unigram.pre_tokenizer = pre_tokenizers.Metaspace()
    unigram.decoder = decoders.Metaspace()
    special = ["<s>", "<pad>", "</s>", "<unk>", "<mask>"]
    trainer = trainers.UnigramTrainer(
        vocab_size=2000, unk_token="<unk>", special_tokens=special, show_progress=False
    )
    unigram.train_from_iterator(TEXTS * 20, trainer)
    return XLMRobertaTokenizerFast(tokenizer_object=unigram, model_max_length=512)
