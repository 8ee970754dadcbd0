import { pino, type Logger as PinoLogger } from 'pino';

export type Logger = Pick<PinoLogger, 'trace' | 'debug' | 'info' | 'warn' | 'error' | 'child'>;

/** Fields that must never reach a log line, at the top level or one level down. */
const secretFields = [
  'authorization',
  'cookie',
  'password',
  'secret',
  'streamKey',
  'apiKey',
  'apiSecret',
  'jwt',
  'token',
  'url.query',
];

/** JSON lines on stdout; secrets are replaced before they are written. */
export function createLogger(role: string, level: string): Logger {
  return pino({
    level,
    base: { role },
    timestamp: pino.stdTimeFunctions.isoTime,
    redact: { paths: secretFields.flatMap((field) => [field, `*.${field}`]), censor: '[redacted]' },
    formatters: { level: (label) => ({ level: label }) },
  });
}
