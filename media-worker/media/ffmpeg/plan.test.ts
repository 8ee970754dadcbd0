import { expect, test } from 'vitest';
import { filesOfPlan } from './plan';
import { pushPlan } from './push-args';
import { planJoin } from './transcode-args';
import { planFastStart } from './vod-args';

test('filesOfPlan: input files are read, and the folder of the output is written', () => {
  expect(
    filesOfPlan(planFastStart({ input: '/in/source.mp4', playedTracks: [0, 1] }, '/out/file.mp4')),
  ).toEqual({
    read: ['/in/source.mp4'],
    write: ['/out'],
  });
});

test('a concat list is read with the files in its folder', () => {
  const plan = planJoin('/pieces/list', { input: '/in/source.mp4', output: '/pieces/file.mp4' });
  expect(filesOfPlan(plan)).toEqual({ read: ['/in/source.mp4'], write: ['/pieces'] });
  const otherFolderPlan = planJoin('/pieces/list', { input: '/in/source.mp4', output: '/out/file.mp4' });
  expect(filesOfPlan(otherFolderPlan)).toEqual({ read: ['/pieces', '/in/source.mp4'], write: ['/out'] });
});

test('an option file is read; pipes, filter sources and URLs are not files', () => {
  const destination = { kind: 'rtmp', host: 'a.example', port: 1935, tls: false, app: 'live', key: 'k', serverUrl: 'rtmp://a.example/live' } as const; // prettier-ignore
  const plan = pushPlan({ destination, address: '127.0.0.1:1935', secretsFile: '/scratch/options' });
  expect(filesOfPlan(plan)).toEqual({ read: ['/scratch/options'], write: [] });
  const filterPlan = {
    inputs: [{ options: ['-f', 'lavfi'], url: 'testsrc2' }],
    outputs: [{ options: [], url: '-' }],
  };
  expect(filesOfPlan(filterPlan)).toEqual({ read: [], write: [] });
});

test('a socket is the only path written in its folder', () => {
  const plan = { inputs: [], outputs: [{ options: [], url: 'unix:/scratch/s1' }] };
  expect(filesOfPlan(plan)).toEqual({ read: [], write: ['/scratch/s1'] });
});
