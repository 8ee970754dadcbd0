import { expect, test } from 'vitest';
import { AppError, classifyDatabaseError, type DatabaseFailure } from './errors';

const withCode = (code: string, message = 'x') => Object.assign(new Error(message), { code });

test.each<[string, unknown, DatabaseFailure]>([
  ['server gone', withCode('P1001'), 'unavailable'],
  ['pool exhausted', withCode('P2024'), 'unavailable'],
  ['connection refused in a cause', new Error('x', { cause: withCode('ECONNREFUSED') }), 'unavailable'],
  [
    'shut down',
    Object.assign(new Error('raw query failed'), {
      meta: { driverAdapterError: { cause: { originalCode: '57P01' } } },
    }),
    'unavailable',
  ],
  ['too slow', new Error('Query read timeout'), 'unavailable'],
  [
    'connection lost in a transaction',
    new Error('Client has encountered a connection error and is not queryable'),
    'unavailable',
  ],
  ['too slow to connect', new Error('timeout expired'), 'unavailable'],
  ['unique value in use', withCode('P2002'), 'conflict'],
  ['deadlock', withCode('40P01'), 'conflict'],
  ['value out of range', withCode('22003'), 'invalid'],
  ['programming error', new TypeError('x is undefined'), null],
  ['thrown text', 'text', null],
  ['undefined', undefined, null],
])('the failure of the database for %s is $2', (_, error, expected) => {
  expect(classifyDatabaseError(error)).toBe(expected);
});

test('the codes of outer errors do not hide the code of their cause', () => {
  const driverAdapterError = new Error('x', { cause: { code: '23505', originalCode: '23505' } });
  const databaseError = Object.assign(withCode('P2010'), {
    errorCode: 'P2010',
    meta: { driverAdapterError },
  });
  const error = new Error('sweep', { cause: new Error('row', { cause: databaseError }) });
  expect(classifyDatabaseError(error)).toBe('conflict');
});

test('an endless chain of causes is no failure of the database', () => {
  const endless = (): object => ({ get cause() { return endless(); } }); // prettier-ignore
  expect(classifyDatabaseError(endless())).toBeNull();
});

test('an error that is its own cause is classified without an endless loop', () => {
  const error = new Error('circular');
  error.cause = error;
  expect(classifyDatabaseError(error)).toBeNull();
});

test('a message about a field starts with the field, and the message of an error joins all its messages', () => {
  const issues = [{ field: 'name', message: 'must not be empty' }, 'nothing was changed'] as const;
  const error = new AppError('invalid', issues);
  expect(error.issues).toEqual(issues);
  expect(error.messages).toEqual(['name: must not be empty', 'nothing was changed']);
  expect(error.message).toBe('name: must not be empty; nothing was changed');
  expect(new AppError('forbidden', issues[0]).issues).toEqual([issues[0]]);
});
