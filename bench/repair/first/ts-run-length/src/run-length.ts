const isDigit = (ch: string): boolean => ch >= '0' && ch <= '9';

/** "aaab" becomes "3ab"; runs of one carry no count. */
export function encode(text: string): string {
  let packed = '';
  let start = 0;
  while (start < text.length) {
    const ch = text[start];
    if (isDigit(ch)) throw new Error(`cannot encode digit ${ch}`);
    let end = start + 1;
    while (end < text.length && text[end] === ch) end++;
    const count = end - start;
    packed += count > 1 ? `${count}${ch}` : ch;
    start = end;
  }
  return packed;
}

export function decode(packed: string): string {
  let text = '';
  for (let i = 0; i < packed.length; i++) {
    const ch = packed[i];
    if (!isDigit(ch)) {
      text += ch;
      continue;
    }
    if (i + 1 === packed.length) throw new Error('count without a character');
    text += packed[i + 1].repeat(Number(ch));
    i++;
  }
  return text;
}
