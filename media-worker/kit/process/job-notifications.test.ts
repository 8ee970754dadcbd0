import { expect, test } from 'vitest';
import { JobNotifications } from './job-notifications';

const log = { warn: () => undefined } as never;

test('notifications that arrive while jobs are added are handled together; null adds jobs for all due rows; a failure loses only its own; none is handled after close()', async () => {
  const addedIds: string[] = [];
  let finishFirst: () => void = () => undefined;
  const notifications = new JobNotifications(
    { log },
    {
      addFor: async (ids) => {
        addedIds.push(ids.join('+'));
        if (ids[0] === 'a') await new Promise<void>((resolve) => (finishFirst = resolve));
        if (ids[0] === 'bad') throw new Error('the queue is away');
      },
      addAll: () => Promise.resolve(void addedIds.push('all')),
    },
  );
  for (const id of ['a', 'b', 'c', 'b']) notifications.notify(id);
  expect(addedIds).toEqual(['a']);
  finishFirst();
  await expect.poll(() => addedIds).toEqual(['a', 'b+c']);
  notifications.notify('bad');
  await expect.poll(() => addedIds).toEqual(['a', 'b+c', 'bad']);
  await new Promise((resolve) => setImmediate(resolve));
  notifications.notify(null);
  await expect.poll(() => addedIds).toEqual(['a', 'b+c', 'bad', 'all']);
  await notifications.close();
  notifications.notify('late');
  expect(addedIds).toHaveLength(4);
});
