"""Finished English sentences are found in another language by what they were made of."""

from __future__ import annotations

import time

import pytest
from asset_generation.addon.translation import catalogue, po_file
from load_extension import ROOT

FILE = ROOT / "addon/translation/zh_HANS.po"
CHINESE = catalogue.Catalogue(po_file.read(FILE.read_text(encoding="utf-8")).entries)


@pytest.mark.parametrize(
    ("english", "chinese"),
    [
        ("Ready", "就绪"),
        ("Nothing is selected: select a mesh.", "未选择任何物体：请选择一个网格。"),
        ("Text to Image...", "文字转图像…"),
        ("43%, 12 s left", "43%，剩余 12 秒"),
        (
            "Text to Model needs Prompt; allowed: a text of 1 to 1024 characters",
            "文字转模型需要提示词；允许：1 至 1024 个字符的文本",
        ),
        ("12 s, 10 credits", "12 秒，10 积分"),
        ("Run (about 25 credits)", "运行（约 25 积分）"),
        ("Run 3 Jobs (25 credits)", "运行 3 个作业（25 积分）"),
        ("Waiting for a free slot (2nd in line)", "正在等待空位（第 2 位）"),
        ("Step 1 of 2: Texture: in the queue", "第 1/2 步：纹理：排队中"),
        (
            "As of 13:44; 1 damaged file set aside among the results, 120 kB",
            "截至 13:44；结果中有 1 个损坏的文件被移到一旁，120 kB",
        ),
        ("Decimate: Suzanne is done (3 s)", "精简：Suzanne 已完成（3 秒）"),
        (
            "There is no API key for example.com. Enter one in the preferences, or use the local engine",
            "没有 example.com 的 API 密钥。请在偏好设置中填写，或使用本地引擎",
        ),
        (
            "The disk is full while writing /tmp/a b. Make room, then press Retry: what is paid stays yours.",
            "磁盘已满（正在写入 /tmp/a b）。请腾出空间，然后按“重试”：已付费的仍属于您。",
        ),
        (
            "Failed: The task failed: The model cannot be rigged: it has no trunk between its legs. (code 1000)",
            "失败：任务失败：无法绑定模型：它的腿之间没有躯干。（代码 1000）",
        ),
    ],
)
def test_a_sentence_is_found_with_what_was_filled_in(english: str, chinese: str) -> None:
    assert CHINESE.translated(english) == chinese


@pytest.mark.parametrize(
    ("english", "chinese"),
    [
        ("Texture: Camera", "纹理：Camera"),
        ("Text to Model: a red chair", "文字转模型：a red chair"),
        ('"Image" has no faces: select a mesh with a surface', "“Image”没有面：请选择有表面的网格"),
        ("There is no folder /tmp/Jobs", "没有文件夹 /tmp/Jobs"),
        (
            "Kept because it is still running: Texture, Image and 3 more.",
            "因仍在运行而保留：Texture, Image 以及另外 3 个。",
        ),
        ("The task failed: prompt is rude (code 2008)", "任务失败：prompt is rude（代码 2008）"),
        ("a lighthouse", "a lighthouse"),
        ("Somebody's own words. Nobody knows them", "Somebody's own words. Nobody knows them"),
    ],
)
def test_a_users_and_a_services_own_words_stay(english: str, chinese: str) -> None:
    assert CHINESE.translated(english) == chinese


def test_an_empty_text_and_numbers_stay() -> None:
    assert [CHINESE.translated(text) for text in ("", " ", "43%", "1.2.3", "-")] == ["", " ", "43%", "1.2.3", "-"]


def test_of_two_templates_the_one_that_says_more_is_meant() -> None:
    entries = [
        po_file.Entry("{name} failed: {reason}", "{name}?{reason}"),
        po_file.Entry("The task failed: {reason}", "!"),
    ]
    assert catalogue.Catalogue(entries).translated("The task failed: x") == "!"


def test_blender_is_given_texts_with_braces_too() -> None:
    entries = [po_file.Entry("An id such as {task_id}", "{task_id}!"), po_file.Entry(". ", "。", po_file.PUNCTUATION)]
    assert catalogue.Catalogue(entries).messages == {"An id such as {task_id}": "{task_id}!"}


def test_what_has_no_translation_yet_stays_english() -> None:
    entries = [po_file.Entry("Ready", ""), po_file.Entry("{count} jobs", "")]
    assert catalogue.Catalogue(entries).translated("Ready, 3 jobs") == "Ready, 3 jobs"


def test_words_that_change_all_the_time_cost_little() -> None:
    """A millisecond is many times what it takes, and still nothing beside a drawing."""
    begin = time.process_time()
    for number in range(500):
        CHINESE.translated(f"{number % 100}%, {number} s left")
    assert time.process_time() - begin < 0.5


def test_what_was_looked_up_is_not_looked_up_again() -> None:
    begin = time.process_time()
    for _ in range(20_000):
        CHINESE.translated("Decimate: Suzanne is done (3 s)")
    assert time.process_time() - begin < 0.5


def test_a_catalogue_forgets_texts_that_are_not_seen_any_more() -> None:
    found = catalogue.Catalogue([po_file.Entry("{count} jobs", "{count} 个")])
    for number in range(10_000):
        assert found.translated(f"{number} jobs") == f"{number} 个"
    assert len(found._known) < 5000
