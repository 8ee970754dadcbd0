import { describe, expect, it } from 'vitest';
import { parseFfmpegVersion } from './ffmpeg';

describe('the major version of ffmpeg', () => {
  it.each([
    ['ffmpeg version 5.1.9-0+deb12u1 Copyright (c) 2000-2026 the FFmpeg developers', 5],
    ['ffmpeg version 4.4.2-0ubuntu0.22.04.1 Copyright', 4],
    ['ffmpeg version n7.1 Copyright', 7],
    ['ffmpeg version 12.0.1', 12],
    ['ffmpeg version N-109542-g7d2bd8f Copyright', Number.POSITIVE_INFINITY],
    ['ffmpeg version 2024-01-07-git-90bef6390f-full_build', Number.POSITIVE_INFINITY],
    ['command not found', null],
  ])('is parsed from "%s"', (output, version) => {
    expect(parseFfmpegVersion(output)).toBe(version);
  });
});
