import { act, renderHook } from '@testing-library/react';
import { beforeEach, expect, test } from 'vitest';
import { useReaderKey } from './reader-key';

beforeEach(() => sessionStorage.clear());

function renderKey(account: string | null) {
  const { result } = renderHook(() => useReaderKey(account));
  return {
    readKey: () => result.current[0],
    setKey: (key: string) => act(() => result.current[1](key)),
  };
}

test('a pasted key is stored in the tab, without characters that a header cannot contain', () => {
  const { readKey, setKey } = renderKey('ada@example.com');
  setKey(' lsk_abc\n');
  expect(readKey()).toBe('lsk_abc');
  expect(renderKey('ada@example.com').readKey()).toBe('lsk_abc');
  expect(JSON.stringify(localStorage)).not.toContain('lsk_abc');
});

test('another account in the same tab and a visitor do not get the key', () => {
  renderKey('ada@example.com').setKey('lsk_abc');
  expect(renderKey('bob@example.com').readKey()).toBe('');
  expect(renderKey(null).readKey()).toBe('');
});

test('two components of the page share the key', () => {
  const [firstComponent, secondComponent] = [renderKey(null), renderKey(null)];
  firstComponent.setKey('lsk_abc');
  expect(secondComponent.readKey()).toBe('lsk_abc');
  secondComponent.setKey('');
  expect(firstComponent.readKey()).toBe('');
});
