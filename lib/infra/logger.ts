import { pino, type DestinationStream, type Logger as PinoLogger } from 'pino';
import { traceIds } from './tracing';

export type Logger = Pick<PinoLogger, 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'child'>;

/** Fields that must never reach a log line, at the top level or one level down. */
const secretFields = [
  'authorization',
  'cookie',
  'password',
  'secret',
  'streamKey',
  'srtPassphrase',
  'apiKey',
  'apiSecret',
  'jwt',
  'accessKey',
  'token',
  'url.query',
];

/**
 * Loggable part of an error. Other properties are dropped, because drivers attach whole connections with keys to their
 * errors.
 */
export interface LoggedError {
  readonly type: string;
  readonly message: string;
  readonly stack: string | undefined;
  readonly code?: string;
  readonly cause?: LoggedError;
}

const MAX_CAUSE_DEPTH = 3;

/**
 * The loggable part of a thrown value, with its causes.
 * @param depth number of causes above this one
 */
export function loggedError(error: unknown, depth = 0): LoggedError {
  if (!(error instanceof Error)) return { type: typeof error, message: String(error), stack: undefined };
  const { name, message, stack, cause } = error;
  return {
    type: name,
    message,
    stack,
    ...('code' in error && typeof error.code === 'string' ? { code: error.code } : {}),
    ...(cause instanceof Error && depth < MAX_CAUSE_DEPTH ? { cause: loggedError(cause, depth + 1) } : {}),
  };
}

/** Creates a logger for JSON lines on stdout or another destination. Secrets are masked. */
export function createLogger(role: string, level: string, destination?: DestinationStream): Logger {
  const options = {
    level,
    base: { role },
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: secretFields.flatMap((field) => [field, `*.${field}`]), censor: '[redacted]' },
    serializers: { err: (error: unknown) => loggedError(error) },
    mixin: traceIds,
    formatters: { level: (label: string) => ({ level: label }) },
  };
  return destination ? pino(options, destination) : pino(options);
}
