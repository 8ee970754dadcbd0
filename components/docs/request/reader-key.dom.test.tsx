import { act, renderHook } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { useReaderKey } from './reader-key';

beforeEach(() => sessionStorage.clear());

const renderKey = (account: string | null) => renderHook(() => useReaderKey(account));

test('a pasted key is stored in the tab, without characters that a header cannot contain', () => {
  const { result } = renderKey('ada@example.com');
  act(() => result.current[1](' lsk_abc\n'));
  expect(result.current[0]).toBe('lsk_abc');
  expect(renderKey('ada@example.com').result.current[0]).toBe('lsk_abc');
  expect(JSON.stringify(localStorage)).not.toContain('lsk_abc');
});

test('another account in the same tab and a visitor do not get the key', () => {
  const { result } = renderKey('ada@example.com');
  act(() => result.current[1]('lsk_abc'));
  expect(renderKey('bob@example.com').result.current[0]).toBe('');
  expect(renderKey(null).result.current[0]).toBe('');
});

test('every part of the page uses the same key', () => {
  const [first, other] = [renderKey(null), renderKey(null)];
  act(() => first.result.current[1]('lsk_abc'));
  expect(other.result.current[0]).toBe('lsk_abc');
  act(() => other.result.current[1](''));
  expect(first.result.current[0]).toBe('');
});
