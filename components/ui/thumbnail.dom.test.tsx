import { act, fireEvent, render } from '@testing-library/react';
import { Film } from 'lucide-react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { WideThumbnail } from './thumbnail';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const wait = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

test('an image that fails is hidden and requested three more times, every five seconds', async () => {
  const { container } = render(<WideThumbnail src="/thumbnail.jpg?time=3" icon={Film} />);
  const findImage = () => container.querySelector('img');
  const failImage = () => fireEvent.error(findImage() ?? document);
  for (let attempt = 0; attempt < 3; attempt++) {
    failImage();
    expect(findImage()).toBeNull();
    await wait(4_999);
    expect(findImage()).toBeNull();
    await wait(1);
    expect(findImage()).not.toBeNull();
  }
  failImage();
  await wait(60_000);
  expect(findImage()).toBeNull();
});

test('another URL is requested at once after a failure', () => {
  const { container, rerender } = render(<WideThumbnail src="/thumbnail.jpg?time=3" icon={Film} />);
  fireEvent.error(container.querySelector('img') ?? document);
  rerender(<WideThumbnail src="/thumbnail.jpg?time=4" icon={Film} />);
  expect(container.querySelector('img')?.getAttribute('src')).toBe('/thumbnail.jpg?time=4');
});
