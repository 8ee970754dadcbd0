import { Writable } from 'node:stream';
import { expect, test } from 'vitest';
import { createLogger, loggedError } from './logger';

test('an error is logged without the objects that a driver attached', () => {
  const cause = Object.assign(new Error('connection reset'), {
    code: 'ECONNRESET',
    client: { secretKey: 4711 },
  });
  const error = Object.assign(new Error('query failed', { cause }), { connection: { password: 'p' } });
  const loggedFields = loggedError(error);
  expect(loggedFields).toMatchObject({
    type: 'Error',
    message: 'query failed',
    cause: { message: 'connection reset', code: 'ECONNRESET' },
  });
  expect(loggedFields.stack).toContain('logger.test');
  expect(JSON.stringify(loggedFields)).not.toMatch(/secretKey|password/);
});

test('an error that is its own cause, and a value that is no error, are logged', () => {
  const error = new Error('loop');
  error.cause = error;
  // Causes are logged three levels deep.
  expect(loggedError(error).cause?.cause?.cause).toMatchObject({ message: 'loop' });
  expect(loggedError(error).cause?.cause?.cause).not.toHaveProperty('cause');
  expect(loggedError('a string')).toMatchObject({ type: 'string', message: 'a string' });
});

test('credentials of viewers are masked, at the top and one level down', () => {
  let logText = '';
  const destination = new Writable({
    write: (line: Buffer, _, done) => {
      logText += line.toString();
      done();
    },
  });
  const credentials = { jwt: 'j-secret', token: 't-secret', accessKey: 'a-secret', password: 'p-secret' };
  createLogger('test', 'info', destination).info({ ...credentials, request: credentials }, 'viewer admitted');
  expect(logText).toContain('viewer admitted');
  expect(logText).not.toContain('-secret');
});
