import pytest

from exercises.learn.prose import student_text


@pytest.mark.parametrize(
    ("text", "html"),
    [
        ("", ""),
        ("One.\nTwo.\n\nThree.", "<p>One.<br>Two.</p><p>Three.</p>"),
        ("One.\r\n\r\nTwo.", "<p>One.</p><p>Two.</p>"),
        ("Divide by `sqrt(d)`.", "<p>Divide by <code>sqrt(d)</code>.</p>"),
        (
            "So:\n```\nx = 1\n\ny\n```\nDone.",
            '<p>So:</p><pre class="code" tabindex="0"><code>x = 1\n\ny</code></pre><p>Done.</p>',
        ),
        ("```python\nx\n```", '<pre class="code" tabindex="0"><code>x</code></pre>'),
        ("```\nnever closed", '<pre class="code" tabindex="0"><code>never closed</code></pre>'),
        ("<b>&`<i>`", "<p>&lt;b&gt;&amp;<code>&lt;i&gt;</code></p>"),
        ("```\n<script>\n```", '<pre class="code" tabindex="0"><code>&lt;script&gt;</code></pre>'),
        ("$x^2$ **b** [a](https://b.org) ![c](d)", "<p>$x^2$ **b** [a](https://b.org) ![c](d)</p>"),
    ],
)
def test_student_text(text, html):
    assert student_text(text) == html
