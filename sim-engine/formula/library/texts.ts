// Text and output.
import type { Row } from './row.ts'
import { row } from './row.ts'

const r = (shown: string, en: string, zh: string, source: string, result: string, extra: Parameters<typeof row>[5] = {}): Row =>
  row('text', shown, en, zh, [source, result], extra)

export const textRows: readonly Row[] = [
  r(
    'str(x: any) -> text',
    'x as text. Whole numbers have no fraction.',
    '把 x 转换为文本；整数不带小数部分。',
    'str(2.0) + str(True)',
    '"2True"',
  ),
  r('repr(x: any) -> text', 'x as it would be written in a formula.', 'x 在公式中的写法。', 'repr("a")', '"\'a\'"'),
  r(
    'format(x: any, spec: text = "") -> text',
    'x by a format specification, as in an f-string.',
    '按格式说明转换为文本，同 f 字符串。',
    'format(3.14159, ".2f")',
    '"3.14"',
  ),
  r('chr(code: number) -> text', 'Character with this Unicode code.', 'Unicode 编码对应的字符。', 'chr(65)', '"A"'),
  r('ord(character: text) -> number', 'Unicode code of a character.', '字符的 Unicode 编码。', 'ord("A")', '65'),
  r('print(*values: any) -> none', 'Writes a line into the Output panel.', '在输出面板中写一行。', 'print("hello", 3)', 'None', {
    writes: true,
    way: 'special',
  }),
]
