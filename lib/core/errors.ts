/** All error codes. lib/http/error-response.ts maps them to statuses. */
export type ErrorCode =
  | 'bad_request'
  | 'unauthenticated'
  | 'payment_required'
  | 'forbidden'
  | 'not_found'
  | 'conflict'
  | 'precondition_failed'
  | 'payload_too_large'
  | 'unsupported_media_type'
  | 'invalid'
  | 'rate_limited'
  | 'unavailable';

/** Issue of one field of a request. */
export interface FieldIssue {
  /** Path in the body or query, or name of a header: `profiles[0].width`. */
  readonly field: string;
  /** Requirement that the field violates, without its name: `must be at least 128`. */
  readonly message: string;
}

/** Issue of a request: a message, or a requirement of one field. */
export type Issue = string | FieldIssue;

/** An issue as one message, which starts with the field if it is about one. */
export const issueMessage = (issue: Issue): string =>
  typeof issue === 'string' ? issue : `${issue.field}: ${issue.message}`;

/** An error for the caller: one or more issues that say what is allowed. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly issues: readonly Issue[];
  /** Seconds to wait before a retry; for `rate_limited` and `unavailable`. */
  readonly retryAfter: number | undefined;

  constructor(code: ErrorCode, issue: Issue | readonly Issue[], options: { retryAfter?: number } = {}) {
    const issues = isList(issue) ? issue : [issue];
    super(issues.map(issueMessage).join('; '));
    this.name = 'AppError';
    this.code = code;
    this.issues = issues;
    this.retryAfter = options.retryAfter;
  }

  /** The issues as messages. */
  get messages(): readonly string[] {
    return this.issues.map(issueMessage);
  }
}

/** `Array.isArray` does not narrow read-only lists. */
const isList = (issue: Issue | readonly Issue[]): issue is readonly Issue[] => Array.isArray(issue);

const statuses: Readonly<Record<ErrorCode, number>> = {
  bad_request: 400,
  unauthenticated: 401,
  payment_required: 402,
  forbidden: 403,
  not_found: 404,
  conflict: 409,
  precondition_failed: 412,
  payload_too_large: 413,
  unsupported_media_type: 415,
  invalid: 422,
  rate_limited: 429,
  unavailable: 503,
};

/** HTTP status of each error code, for the API and uploads. */
export function statusOfError(code: ErrorCode): number {
  return statuses[code];
}

/** Classes of database failures that callers distinguish. */
export type DatabaseFailure = 'unavailable' | 'conflict' | 'invalid' | null;

/** Codes of Prisma, PostgreSQL and Node for a server that is down, starting, overloaded or too slow. */
const unavailable = new Set([
  'P1000', 'P1001', 'P1002', 'P1008', 'P1010', 'P1011', 'P1017', 'P2024', 'P2028', 'P2037',
  '08000', '08001', '08003', '08004', '08006', '53300', '55P03', '57014', '57P01', '57P02', '57P03',
  'ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EHOSTUNREACH',
]); // prettier-ignore

/** A unique violation by a concurrent write, a deadlock or a failed serialization. */
const conflict = new Set(['P2002', 'P2034', '23505', '40001', '40P01']);

/** A value that the column can't store and validation did not reject. */
const invalid = new Set(['P2000', 'P2020', '22003', '22021', '22P02', '22P05']);

/** Driver messages without a code: a timeout, and a connection lost during a transaction. */
const malformedUrl =
  /timeout exceeded when trying to connect|timeout expired|Query read timeout|Connection terminated|is not queryable|Can't reach database/;

/** Classifies an error by the codes of the error and its causes, without the classes of the database client. */
export function databaseFailure(error: unknown): DatabaseFailure {
  for (const { code, message } of chainOf(error)) {
    if (unavailable.has(code) || malformedUrl.test(message)) return 'unavailable';
    if (conflict.has(code)) return 'conflict';
    if (invalid.has(code)) return 'invalid';
  }
  return null;
}

/** Maximum of errors in one chain: Prisma wraps an error of PostgreSQL three times, and callers wrap it again. */
const maxErrors = 20;

/** Codes and messages of the error, the error that its client wrapped, and its causes. */
function chainOf(error: unknown): { code: string; message: string }[] {
  const chain: { code: string; message: string }[] = [];
  // A set is read up to the entries that are added meanwhile, and adds an error that is its own cause only once.
  const found = new Set<unknown>([error]);
  for (const next of found) {
    if (typeof next !== 'object' || next === null) continue;
    const message = 'message' in next && typeof next.message === 'string' ? next.message : '';
    for (const name of ['code', 'errorCode', 'originalCode'] as const) {
      const code = (next as Partial<Record<typeof name, unknown>>)[name];
      if (typeof code === 'string') chain.push({ code, message });
    }
    chain.push({ code: '', message });
    for (const name of ['cause', 'meta', 'driverAdapterError'] as const)
      if (found.size < maxErrors) found.add((next as Partial<Record<typeof name, unknown>>)[name]);
  }
  return chain;
}

const databaseRetrySeconds = 5;

/** The error for the caller: an AppError unchanged, a database failure as a message; null for internal faults. */
export function knownError(error: unknown): AppError | null {
  if (error instanceof AppError) return error;
  switch (databaseFailure(error)) {
    case 'unavailable':
      return new AppError('unavailable', 'the database is not responding, try again', {
        retryAfter: databaseRetrySeconds,
      });
    case 'conflict':
      return new AppError('conflict', 'another request changed the same object at the same time, try again');
    case 'invalid':
      return new AppError('invalid', 'a value cannot be stored');
    case null:
      return null;
  }
}

/** A missing object and an object of another team have the same message. */
export const notFound = (issue: Issue = 'not found'): AppError => new AppError('not_found', issue);
