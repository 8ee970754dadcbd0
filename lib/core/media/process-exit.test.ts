import { describe, expect, test } from 'vitest';
import { systemFaultOf } from './process-exit';

const fileError = 'file:/data/a.mp4: Invalid data found when processing input';

describe('systemFaultOf', () => {
  test('returns null for a process that rejected its file', () => {
    expect(systemFaultOf({ code: 1, stderr: `[mov] error reading header\n${fileError}` })).toBeNull();
    // ffmpeg 7 exits with the lowest byte of its error number.
    expect(systemFaultOf({ code: 183, stderr: fileError })).toBeNull();
    // Decoders print this for damaged frames.
    expect(
      systemFaultOf({ code: 1, stderr: 'Error while decoding stream #0:0: Operation not permitted' }),
    ).toBeNull();
  });

  test.each([
    [null, '', /signal/],
    [null, fileError, /signal/],
    [124, '', /124/],
    [125, 'nice: cannot set niceness', /125/],
    [126, 'sh: exec: ffprobe: Permission denied', /126/],
    [127, 'ffprobe: error while loading shared libraries: libvpx.so.7: failed to map segment', /127/],
    [137, '', /137/],
    [139, fileError, /139/],
    [1, 'file:/data/a.mp4: Cannot allocate memory', /Cannot allocate memory/],
    [1, 'file:/data/a.mp4: No such file or directory', /No such file/],
    [1, 'file:/data/a.mp4: Input/output error', /Input\/output error/],
    [1, 'av_interleaved_write_frame(): No space left on device', /No space left/],
    [1, 'file:/data/a.mp4: Too many open files', /Too many open files/],
    [1, 'pthread_create failed: Resource temporarily unavailable', /temporarily unavailable/],
    [1, 'prlimit: failed to set the AS resource limit: Operation not permitted', /prlimit/],
    [1, 'unshare: unshare failed: Operation not permitted', /unshare/],
    [1, 'bwrap: Creating new namespace failed: No space left on device', /bwrap|No space/],
    [1, '', /no message/],
  ])('exit code %s with stderr %j is a fault of the system', (code, text, reason) => {
    expect(systemFaultOf({ code, stderr: text })).toMatch(reason);
  });
});
