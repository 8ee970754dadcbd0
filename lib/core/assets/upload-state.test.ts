import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  fileRejection,
  isSameFile,
  isFinalUploadPhase,
  isUnsentUpload,
  uploadMachine,
  assetNameOfFile,
  MAX_CONCURRENT_UPLOADS,
  selectUploadsToStart,
  uploadTotals,
  type UploadPhase,
} from './upload-state';

const anyPhase = fc.constantFrom(...uploadMachine.states);

describe('phases of an upload', () => {
  test('an upload passes from queued to ready', () => {
    const phases = (['taken', 'received', 'completed'] as const).reduce<(UploadPhase | null)[]>(
      (path, event) => [...path, uploadMachine.nextState(path.at(-1) ?? 'failed', event)],
      ['queued'],
    );
    expect(phases).toEqual(['queued', 'uploading', 'processing', 'ready']);
  });

  test.each([
    ['uploading', 'paused', 'paused'],
    ['paused', 'resumed', 'queued'],
    ['uploading', 'interrupted', 'broken'],
    ['broken', 'resumed', 'queued'],
    ['detached', 'resumed', 'queued'],
    ['elsewhere', 'handed_over', 'detached'],
    ['detached', 'taken_elsewhere', 'elsewhere'],
    ['uploading', 'taken_elsewhere', null],
    ['uploading', 'rejected', 'failed'],
    ['processing', 'rejected', 'failed'],
    ['processing', 'paused', null],
    ['processing', 'interrupted', null],
    ['paused', 'received', null],
    ['elsewhere', 'paused', null],
  ] as const)('in the phase %s, the event %s leads to %s', (phase, event, next) => {
    expect(uploadMachine.nextState(phase, event)).toBe(next);
  });

  test('an upload in a final phase never leaves it', () => {
    for (const phase of uploadMachine.states.filter(isFinalUploadPhase)) {
      for (const event of uploadMachine.events) expect(uploadMachine.nextState(phase, event)).toBeNull();
    }
  });

  test('every phase that is not final has an event that leaves it', () => {
    for (const phase of uploadMachine.states.filter((state) => !isFinalUploadPhase(state))) {
      expect(uploadMachine.events.some((event) => uploadMachine.nextState(phase, event) !== null)).toBe(true);
    }
  });
});

describe('slots', () => {
  test('the first queued uploads get slots, never more than the maximum', () => {
    fc.assert(
      fc.property(fc.array(anyPhase, { maxLength: 20 }), (phases) => {
        const uploads = phases.map((phase, id) => ({ id, phase }));
        const nextUploads = selectUploadsToStart(uploads);
        const runningCount = phases.filter((phase) => phase === 'uploading').length;
        expect(nextUploads.length + runningCount).toBeLessThanOrEqual(
          Math.max(MAX_CONCURRENT_UPLOADS, runningCount),
        );
        expect(nextUploads).toEqual(
          uploads.filter(({ phase }) => phase === 'queued').slice(0, nextUploads.length),
        );
      }),
    );
  });

  test('all free slots are used', () => {
    const uploads = (['uploading', 'queued', 'paused', 'queued', 'queued'] as const).map((phase) => ({
      phase,
    }));
    expect(selectUploadsToStart(uploads)).toHaveLength(2);
  });
});

describe('totals', () => {
  const uploadIn = (phase: UploadPhase, size: number, sent: number) => ({ phase, size, sent });

  test('failed uploads count neither as sent nor as unsent', () => {
    const totals = uploadTotals([
      uploadIn('uploading', 100, 50),
      uploadIn('processing', 100, 100),
      uploadIn('failed', 1_000, 10),
    ]);
    expect(totals).toEqual({
      progress: 0.75,
      unsentCount: 1,
      uploadingCount: 1,
      processingCount: 1,
      stoppedCount: 0,
      readyCount: 0,
      failedCount: 1,
    });
  });

  test('every upload is counted in exactly one state', () => {
    fc.assert(
      fc.property(fc.array(anyPhase), (phases) => {
        const {
          uploadingCount,
          processingCount,
          stoppedCount,
          readyCount,
          failedCount,
          unsentCount,
          progress,
        } = uploadTotals(phases.map((phase) => uploadIn(phase, 10, 3)));
        expect(uploadingCount + processingCount + stoppedCount + readyCount + failedCount).toBe(
          phases.length,
        );
        expect(uploadingCount + stoppedCount).toBe(unsentCount);
        expect(unsentCount).toBe(phases.filter(isUnsentUpload).length);
        expect(progress).toBeGreaterThanOrEqual(0);
        expect(progress).toBeLessThanOrEqual(1);
      }),
    );
  });

  test('an empty list has no progress', () => expect(uploadTotals([]).progress).toBe(0));
});

describe('files', () => {
  const videoFile = { name: 'film.mp4', size: 10, lastModified: 5 };

  test('a changed file with the same name is another file', () => {
    expect(isSameFile(videoFile, { ...videoFile })).toBe(true);
    expect(isSameFile(videoFile, { ...videoFile, size: 11 })).toBe(false);
    expect(isSameFile(videoFile, { ...videoFile, lastModified: 6 })).toBe(false);
    expect(isSameFile(videoFile, { ...videoFile, name: 'movie.mp4' })).toBe(false);
  });

  test.each([
    ['film.mp4', 'video/mp4', 5, null, null],
    ['FILM.MOV', '', 5, null, null],
    ['film', 'video/quicktime', 5, null, null],
    ['film.mkv', 'video/x-matroska', 5, 'notMp4', null],
    ['Screen.WebM', '', 5, 'notMp4', null],
    ['broadcast.ts', 'video/mp2t', 5, 'notMp4', null],
    ['song.mp3', 'audio/mpeg', 5, 'notVideo', null],
    ['song.opus', '', 5, 'notVideo', null],
    ['notes.txt', 'text/plain', 5, 'notVideo', 'notMedia'],
    ['a folder', '', 4096, 'notVideo', 'notMedia'],
    ['film.mp4', 'video/mp4', 0, 'empty', 'empty'],
  ] as const)(
    '%s (type "%s", %d bytes): rejection %s as MP4, %s as any media',
    (name, type, size, rejection, rejectionOfAny) => {
      expect(fileRejection({ name, type, size }, 'mp4')).toBe(rejection);
      expect(fileRejection({ name, type, size }, 'any')).toBe(rejectionOfAny);
    },
  );

  test.each([
    ['Town hall, part 1.mp4', 'Town hall, part 1'],
    ['v1.2 final', 'v1.2 final'],
    ['archive.tar.gz', 'archive.tar'],
    ['.mp4', '.mp4'],
    ['', 'Untitled'],
  ])('assetNameOfFile(%s) returns %s', (fileName, assetName) => {
    expect(assetNameOfFile(fileName)).toBe(assetName);
  });

  test('an asset name is cut to 500 characters', () => {
    expect(assetNameOfFile('x'.repeat(600))).toHaveLength(500);
  });
});
