"""Models we recommend, by language and machine. The same list stands in `models.md` for people.

Sizes are those of a four-bit file and approximate; memory is what the machine should have in all.
"""

from kotonia_desktop.services.views import ModelSuggestion

_GB = 1_000_000_000

SUGGESTIONS: tuple[ModelSuggestion, ...] = (
    ModelSuggestion(
        "Qwen3 4B Instruct 2507",
        "Q4_K_M",
        int(2.5 * _GB),
        "Apache-2.0",
        ("en", "ja", "zh"),
        8,
        "https://huggingface.co/unsloth/Qwen3-4B-Instruct-2507-GGUF",
        "small_all_languages",
    ),
    ModelSuggestion(
        "Gemma 3 4B it",
        "Q4_K_M",
        int(2.5 * _GB),
        "Gemma terms",
        ("en", "ja", "zh"),
        8,
        "https://huggingface.co/bartowski/google_gemma-3-4b-it-GGUF",
        "small_all_languages",
    ),
    ModelSuggestion(
        "Qwen3 8B",
        "Q4_K_M",
        int(5.0 * _GB),
        "Apache-2.0",
        ("en", "ja", "zh"),
        16,
        "https://huggingface.co/Qwen/Qwen3-8B-GGUF",
        "middle_all_languages",
    ),
    ModelSuggestion(
        "Gemma 3 12B it",
        "Q4_K_M",
        int(7.3 * _GB),
        "Gemma terms",
        ("en", "ja", "zh"),
        16,
        "https://huggingface.co/bartowski/google_gemma-3-12b-it-GGUF",
        "middle_all_languages",
    ),
    ModelSuggestion(
        "Mistral Nemo Instruct 2407",
        "Q4_K_M",
        int(7.5 * _GB),
        "Apache-2.0",
        ("en",),
        16,
        "https://huggingface.co/bartowski/Mistral-Nemo-Instruct-2407-GGUF",
        "prose_english",
    ),
)
