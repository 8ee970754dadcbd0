import { expect, test } from 'vitest';
import { quotedAttribute } from './html-attribute';

test.each([
  ['Town hall', '"Town hall"'],
  ['A "B" <i>&', '"A &quot;B&quot; &lt;i>&amp;"'],
  ['"><script>', '"&quot;>&lt;script>"'],
  ['', '""'],
])('%s', (text, written) => expect(quotedAttribute(text)).toBe(written));
