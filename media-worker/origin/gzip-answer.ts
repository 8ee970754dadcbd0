import { gzipSync } from 'node:zlib';
import type { Answer } from '../http/answer';

const compressed = new WeakMap<Answer, Answer>();

/** The same answer in gzip, or as it is where gzip is no shorter. Made once, however many viewers get it. */
export function gzipAnswer(answer: Answer): Answer {
  let smallest = compressed.get(answer);
  if (!smallest) compressed.set(answer, (smallest = smallestOf(answer)));
  return smallest;
}

function smallestOf(answer: Answer): Answer {
  const plain = Buffer.concat([...(answer.body ?? [])]);
  const gzip = gzipSync(plain);
  if (gzip.length >= plain.length) return answer;
  return { ...answer, headers: { ...answer.headers, 'Content-Encoding': 'gzip' }, body: [gzip] };
}

/** Whether an `Accept-Encoding` header allows gzip (RFC 9110 section 12.5.3). */
export function acceptsGzip(header: string | undefined): boolean {
  let anything = false;
  for (const part of header?.split(',') ?? []) {
    const [coding = '', ...parameters] = part.toLowerCase().split(';');
    const wanted = parameters.every((parameter) => !/^\s*q\s*=\s*0(?:\.0*)?\s*$/.test(parameter));
    if (coding.trim() === 'gzip') return wanted;
    if (coding.trim() === '*') anything = wanted;
  }
  return anything;
}
