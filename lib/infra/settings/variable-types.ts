import { resolve } from 'node:path';
import { z } from 'zod';

/**
 * Schemas for the values of environment variables. Decoding turns the text of a variable into its value. Encoding turns a
 * value into a text or number that decodes to the same value, because child processes get their settings as environment
 * variables.
 */

/**
 * An integer.
 * @param unit what is counted, as a plural for the error message: `bytes`
 */
export const wholeNumber = (
  unit: string,
  { min = 1, max }: { readonly min?: number; readonly max: number },
) =>
  z.coerce
    .number({ error: `a whole number of ${unit}` })
    .int()
    .min(min)
    .max(max);

/** A port number, never 0. */
export const port = z.coerce.number({ error: 'a port number from 1 to 65535' }).int().min(1).max(65_535);

/** A path, made absolute. */
export const filePath = z
  .string()
  .min(1)
  .overwrite((path) => resolve(path));

/** An HTTP(S) URL. Slashes at its end are removed. */
export const httpUrl = z
  .url({ protocol: /^https?$/, error: 'an http:// or https:// URL' })
  .overwrite((url) => url.replace(/\/+$/, ''));

const splitList = (text: string): string[] =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean);

/** Values separated by commas, with optional spaces. */
export const commaSeparatedList = <Value>(items: z.ZodArray<z.ZodType<Value, string>>) =>
  z.codec(z.string(), items.readonly(), { decode: splitList, encode: (texts) => texts.join(',') });

/** A boolean that is written as one of two words. */
const booleanWord = (trueWord: string, falseWord: string) =>
  z.codec(z.enum([trueWord, falseWord], { error: `${trueWord} or ${falseWord}` }), z.boolean(), {
    decode: (text) => text === trueWord,
    encode: (value) => (value ? trueWord : falseWord),
  });

export const onOff = booleanWord('on', 'off');
export const trueFalse = booleanWord('true', 'false');

/** The decoded values of variables. */
export type Values<Shape extends z.ZodRawShape> = z.output<z.ZodObject<Shape>>;

/**
 * Rejects a variable that contradicts another one, or is missing.
 * @param expected the expected value, for the message `NAME: expected …`
 */
export type Reject = (name: string, expected: string) => void;
