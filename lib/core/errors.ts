/** All error codes. `statusOfError` has their HTTP statuses. */
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

/** An issue of one field of a request. */
export interface FieldIssue {
  /** Path in the body or query, or name of a header: `profiles[0].width`. */
  readonly field: string;
  /** Requirement that the field violates, without its name: `must be at least 128`. */
  readonly message: string;
}

/** Whether a function returned an issue of its input instead of its result. */
export const isFieldIssue = (result: object): result is FieldIssue => 'field' in result;

/** An issue of a request: a message, or the requirement that one field violates. */
export type Issue = string | FieldIssue;

/** An issue as one message. The message about a field starts with the name of the field. */
export const issueMessage = (issue: Issue): string =>
  typeof issue === 'string' ? issue : `${issue.field}: ${issue.message}`;

/** An error that the caller of a request gets, with one or more issues. */
export class AppError extends Error {
  readonly code: ErrorCode;
  readonly issues: readonly Issue[];
  /** Seconds after which the caller may retry, for the codes `rate_limited` and `unavailable`. */
  readonly retryAfter: number | undefined;

  constructor(code: ErrorCode, issue: Issue | readonly Issue[], options: { retryAfter?: number } = {}) {
    const issues = isIssueList(issue) ? issue : [issue];
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
const isIssueList = (issue: Issue | readonly Issue[]): issue is readonly Issue[] => Array.isArray(issue);

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

/** The HTTP status of an error code, for the API and for uploads. */
export function statusOfError(code: ErrorCode): number {
  return statuses[code];
}

/** Classes of database failures that callers distinguish. */
export type DatabaseFailure = 'unavailable' | 'conflict' | 'invalid' | null;

/** Codes of Prisma, PostgreSQL and Node for a database server that is down, starting, overloaded or too slow. */
const unavailableCodes = new Set([
  'P1000', 'P1001', 'P1002', 'P1008', 'P1010', 'P1011', 'P1017', 'P2024', 'P2028', 'P2037',
  '08000', '08001', '08003', '08004', '08006', '53300', '55P03', '57014', '57P01', '57P02', '57P03',
  'ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EHOSTUNREACH',
]); // prettier-ignore

/** Codes for a unique violation by a concurrent write, a deadlock or a failed serialization. */
const conflictCodes = new Set(['P2002', 'P2034', '23505', '40001', '40P01']);

/** Codes for a value that the column can't store, although validation accepted it. */
const invalidValueCodes = new Set(['P2000', 'P2020', '22003', '22021', '22P02', '22P05']);

/** Messages of the database driver that have no code, about timeouts and lost connections. */
const unavailableMessages =
  /timeout exceeded when trying to connect|timeout expired|Query read timeout|Connection terminated|is not queryable|Can't reach database/;

/**
 * Classifies an error by the codes and messages of the error and its causes, without the classes of the database client;
 * null if it is no failure of the database.
 */
export function classifyDatabaseError(error: unknown): DatabaseFailure {
  for (const { code, message } of errorChainOf(error)) {
    if (unavailableCodes.has(code) || unavailableMessages.test(message)) return 'unavailable';
    if (conflictCodes.has(code)) return 'conflict';
    if (invalidValueCodes.has(code)) return 'invalid';
  }
  return null;
}

/** Maximum of errors in one chain: Prisma wraps an error of PostgreSQL three times, and callers wrap it again. */
const MAX_ERRORS = 20;

/** Codes and messages of the error, the error that its client wrapped, and its causes. */
function errorChainOf(error: unknown): { code: string; message: string }[] {
  const chain: { code: string; message: string }[] = [];
  // A set is read up to the entries that are added meanwhile, and adds an error that is its own cause only once.
  const causes = new Set<unknown>([error]);
  for (const next of causes) {
    if (typeof next !== 'object' || next === null) continue;
    const message = 'message' in next && typeof next.message === 'string' ? next.message : '';
    for (const name of ['code', 'errorCode', 'originalCode'] as const) {
      const code = (next as Partial<Record<typeof name, unknown>>)[name];
      if (typeof code === 'string') chain.push({ code, message });
    }
    chain.push({ code: '', message });
    for (const name of ['cause', 'meta', 'driverAdapterError'] as const)
      if (causes.size < MAX_ERRORS) causes.add((next as Partial<Record<typeof name, unknown>>)[name]);
  }
  return chain;
}

const DATABASE_RETRY_SECONDS = 5;

/**
 * The error that the caller gets: an AppError as it is, or an AppError for a failure of the database; null for an internal
 * fault.
 */
export function toAppError(error: unknown): AppError | null {
  if (error instanceof AppError) return error;
  switch (classifyDatabaseError(error)) {
    case 'unavailable':
      return new AppError('unavailable', 'the database is not responding, try again', {
        retryAfter: DATABASE_RETRY_SECONDS,
      });
    case 'conflict':
      return new AppError('conflict', 'another request changed the same object at the same time, try again');
    case 'invalid':
      return new AppError('invalid', 'a value cannot be stored');
    case null:
      return null;
  }
}

/** The error for a missing object and for an object of another team, which callers can't distinguish. */
export const notFound = (issue: Issue = 'not found'): AppError => new AppError('not_found', issue);
