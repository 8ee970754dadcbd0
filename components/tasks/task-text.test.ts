import { describe, expect, test } from 'vitest';
import { untranslated, englishMessages } from '@/components/testing/messages';
import { readListState } from '@/components/ui/table/list-state';
import { exportTask, importTask, transcodeTask, uploadTask } from '@/lib/contract/assets/asset-examples';
import { task as taskSchema, type Task } from '@/lib/contract/tasks/task';
import { taskListQueryOf, taskListOptions } from './task-list';
import { adviceFor, failureText, taskKind, taskProgressText, taskStatus } from './task-text';

const t = englishMessages('tasks.taskText');
const createTask = (status: Partial<Task['status']>): Task =>
  taskSchema.parse({ ...uploadTask, status: { ...uploadTask.status, ...status } });

test('the label of a task is derived from its type and parameters', () => {
  const kinds = [uploadTask, importTask, transcodeTask, exportTask].map((task) =>
    taskKind(t, taskSchema.parse(task)),
  );
  expect(kinds).toEqual(['Upload', 'Import from a URL', 'Transcode to 480p', 'Export to IPFS']);
  const urlExportTask = { ...exportTask, params: { export: { custom: { url: 'https://a.example/b' } } } };
  expect(taskKind(t, taskSchema.parse(urlExportTask))).toBe('Export to a URL');
  const recordingTask = { ...uploadTask, params: { import: { recordedSessionId: uploadTask.id } } };
  expect(taskKind(t, taskSchema.parse(recordingTask))).toBe('Recording');
});

test.each<[Partial<Task['status']>, string]>([
  [{ phase: 'pending' }, 'Waiting for the file'],
  [{ phase: 'waiting' }, 'Queued'],
  [{ phase: 'waiting', retries: 1 }, 'Retry scheduled'],
  [{ phase: 'running' }, 'Running'],
  [{ phase: 'completed' }, 'Completed'],
  [{ phase: 'failed' }, 'Failed'],
  [{ phase: 'cancelled' }, 'Cancelled'],
])('a task with %j is shown as “%s”', (status, label) =>
  expect(taskStatus(t, createTask(status)).label).toBe(label),
);

test.each<[Partial<Task['status']>, string | null]>([
  [{ phase: 'running', progress: 0.436, updatedAt: 5_000, expectedAt: 130_900 }, '43 % · 2 min 05 s left'],
  [{ phase: 'running', progress: 0.99, updatedAt: 5_000, expectedAt: 5_400 }, '99 %'],
  [{ phase: 'running', progress: 0.99, updatedAt: 5_000, expectedAt: 4_000 }, '99 %'],
  [{ phase: 'running', progress: 0.1, updatedAt: 5_000 }, '10 %'],
  [{ phase: 'running' }, null],
  [{ phase: 'completed', progress: 1 }, null],
])('the progress of a task with %j is %j', (status, text) =>
  expect(taskProgressText(t, createTask(status))).toBe(text),
);

describe('failures', () => {
  test('are shown as sentences', () => {
    expect(
      failureText(t, createTask({ phase: 'failed', errorMessage: 'the file is not an MP4' }), untranslated),
    ).toBe('The file is not an MP4.');
    expect(failureText(t, createTask({ phase: 'failed' }), untranslated)).toBe('Unknown reason.');
    expect(failureText(t, createTask({ phase: 'running' }), untranslated)).toBeNull();
  });

  test.each([
    ['video codec is HEVC; H.264 is accepted', /libx264/],
    ['audio codec is Opus; AAC is accepted', /-c:a aac/],
    ['the file is not an MP4', /libx264/],
    ['the container is MKV; MP4 is accepted', /libx264/],
    ['the file is a web page (HTML), not a video', /video file itself/],
    ['the format of the file is not known; MP4 and MOV are accepted', /libx264/],
    ['the file cannot be converted: ffmpeg exited with code 1', /libx264/],
    ['the picture has 7680x4320 pixels; at most 4096x2304 are accepted', /scale/],
    ['the file could not be downloaded: its server answered 404', /URL is correct/],
    [
      'the file could not be downloaded: the connection failed: no public address of this host accepted it',
      /EGRESS_ALLOW_CIDRS/,
    ],
    ['there was no room left to store the result', /operator/],
    ['the file is too large; at most 5 bytes are accepted', /MAX_UPLOAD_BYTES/],
  ])('with the message “%s” have advice that matches %s', (message, advice) =>
    expect(adviceFor(t, message)).toMatch(advice),
  );

  test('with another message have no advice', () => expect(adviceFor(t, 'the asset is gone')).toBeNull());
});

test('filters of the list become filters of the API, and a search text is ignored', () => {
  const state = readListState(taskListOptions, new URLSearchParams('?status=failed&type=export&q=x'));
  expect(JSON.parse(taskListQueryOf(state).filters ?? '')).toEqual([
    { id: 'phase', value: 'failed' },
    { id: 'type', value: 'export' },
  ]);
  const singleTaskState = readListState(taskListOptions, new URLSearchParams(`?task=${uploadTask.id}`));
  expect(JSON.parse(taskListQueryOf(singleTaskState).filters ?? '')).toEqual([
    { id: 'id', value: uploadTask.id },
  ]);
});
