import type { z } from 'zod';
import { AppError, type ErrorCode, type Issue } from '@/lib/core/errors';

const typeNames: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  array: 'an array',
};

/**
 * Converts a Zod error to issues with the path of their field, such as `profiles[0].width`. Each unknown field
 * is an issue.
 */
function issuesOf(error: z.ZodError): Issue[] {
  return error.issues.flatMap((issue): Issue[] => {
    if (issue.code === 'unrecognized_keys') {
      return issue.keys.map((key) => ({ field: pathOf([...issue.path, key]), message: 'unknown field' }));
    }
    const [field, message] = [pathOf(issue.path), messageOf(issue)];
    return [field === '' ? message : { field, message }];
  });
}

/**
 * Parses external input by a schema.
 * @param code code of the error for invalid input
 * @throws AppError `code`, with at most 20 issues
 */
export function parseInput<S extends z.ZodType>(
  schema: S,
  input: unknown,
  code: ErrorCode = 'invalid',
): z.output<S> {
  const result = schema.safeParse(input, { reportInput: true });
  if (!result.success) throw new AppError(code, issuesOf(result.error).slice(0, 20));
  return result.data;
}

function messageOf(issue: z.core.$ZodIssue): string {
  switch (issue.code) {
    case 'invalid_type':
      return issue.input === undefined
        ? 'is required'
        : `must be ${typeNames[issue.expected] ?? issue.expected}`;
    case 'too_small':
      return `must ${boundOf(issue.origin, 'at least', Number(issue.minimum))}`;
    case 'too_big':
      return `must ${boundOf(issue.origin, 'at most', Number(issue.maximum))}`;
    case 'invalid_value':
      return issue.values.length === 1
        ? `must be ${JSON.stringify(issue.values[0])}`
        : `must be one of ${issue.values.map((value) => JSON.stringify(value)).join(', ')}`;
    case 'invalid_format':
      return issue.format === 'uuid' ? 'must be a UUID' : issue.message;
    case 'invalid_union':
    case 'invalid_key':
    case 'invalid_element':
    case 'not_multiple_of':
    case 'unrecognized_keys':
    case 'custom':
      return issue.message;
  }
}

function boundOf(origin: string, limitText: 'at least' | 'at most', limit: number): string {
  if (origin === 'string') {
    return limit === 1 && limitText === 'at least' ? 'not be empty' : `have ${limitText} ${limit} characters`;
  }
  if (origin === 'array') return `have ${limitText} ${limit} items`;
  return `be ${limitText} ${limit}`;
}

function pathOf(path: readonly PropertyKey[]): string {
  return path
    .map((part, index) =>
      typeof part === 'number' ? `[${part}]` : `${index === 0 ? '' : '.'}${String(part).slice(0, 100)}`,
    )
    .join('');
}
