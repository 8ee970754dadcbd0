import { CodecConfigError } from './bit-reader';

/** Null for a configuration that cannot be read: a decoder keeps the previous one. */
export function readableOnly<Result>(read: () => Result): Result | null {
  try {
    return read();
  } catch (error) {
    if (error instanceof CodecConfigError) return null;
    throw error;
  }
}
