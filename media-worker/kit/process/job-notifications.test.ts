import { expect, test } from 'vitest';
import { JobNotifications } from './job-notifications';

const log = { warn: () => undefined } as never;

test('notifications that arrive while jobs are added are handled together, and all due rows after an outage', async () => {
  const calls: string[] = [];
  let free: () => void = () => undefined;
  const notifications = new JobNotifications(
    { log },
    {
      addFor: async (ids) => {
        calls.push(ids.join('+'));
        if (ids[0] === 'a') await new Promise<void>((resolve) => (free = resolve));
        if (ids[0] === 'bad') throw new Error('the queue is away');
      },
      addAll: () => Promise.resolve(void calls.push('all')),
    },
  );
  for (const id of ['a', 'b', 'c', 'b']) notifications.notify(id);
  expect(calls).toEqual(['a']);
  free();
  await expect.poll(() => calls).toEqual(['a', 'b+c']);
  notifications.notify('bad');
  await expect.poll(() => calls).toEqual(['a', 'b+c', 'bad']);
  await new Promise((resolve) => setImmediate(resolve));
  notifications.notify(null);
  await expect.poll(() => calls).toEqual(['a', 'b+c', 'bad', 'all']);
  await notifications.close();
  notifications.notify('late');
  expect(calls).toHaveLength(4);
});
