import { resolve } from 'node:path';
import { z } from 'zod';

/**
 * Types of environment variables. Each one decodes the text of a variable and encodes the value back, so that child
 * processes get their environment from the schema.
 */

export const wholeNumber = (unit: string, max: number, min = 1) =>
  z.coerce
    .number({ error: `a whole number of ${unit}` })
    .int()
    .min(min)
    .max(max);

export const port = z.coerce.number({ error: 'a port number from 1 to 65535' }).int().min(1).max(65_535);

/** An absolute path. */
export const filePath = z
  .string()
  .min(1)
  .overwrite((path) => resolve(path));

/** A URL without slashes at its end. */
export const httpUrl = z
  .url({ protocol: /^https?$/, error: 'an http:// or https:// URL' })
  .overwrite((url) => url.replace(/\/+$/, ''));

const splitList = (text: string): string[] =>
  text
    .split(',')
    .map((item) => item.trim())
    .filter(Boolean);

/** Values separated by commas. */
export const list = <Value>(items: z.ZodArray<z.ZodType<Value, string>>) =>
  z.codec(z.string(), items.readonly(), { decode: splitList, encode: (texts) => texts.join(',') });

const choice = (on: string, off: string) =>
  z.codec(z.enum([on, off], { error: `${on} or ${off}` }), z.boolean(), {
    decode: (text) => text === on,
    encode: (value) => (value ? on : off),
  });

export const onOff = choice('on', 'off');
export const trueFalse = choice('true', 'false');

/** The decoded values of variables. */
export type Values<Shape extends z.ZodRawShape> = z.output<z.ZodObject<Shape>>;

/** Rejects a value that contradicts another setting. */
export type Reject = (name: string, expected: string) => void;
