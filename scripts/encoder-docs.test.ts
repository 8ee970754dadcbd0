import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import {
  fileCommand,
  gstreamerCommand,
  gstreamerSrtCommand,
  srtTestPatternCommand,
  testPatternCommand,
} from '@/lib/core/streams/encoder-commands';
import { srtPublishUrl } from '@/lib/core/streams/srt-passphrase';

const [rtmp, streamKey] = ['rtmp://localhost:1935/live', 'abcd-ef12-3456-7890'];
const srt = srtPublishUrl({ srtUrl: 'srt://localhost:9000', streamKey });
const text = readFileSync(join(import.meta.dirname, '../docs/encoders.md'), 'utf8');

/** media-worker/ingest/encoder-commands.full.db.test.ts publishes with these commands. */
test.each([
  ['ffmpeg-rtmp', testPatternCommand(rtmp, streamKey)],
  ['ffmpeg-srt', srtTestPatternCommand(srt)],
  ['ffmpeg-file', fileCommand(rtmp, streamKey)],
  ['gstreamer-rtmp', gstreamerCommand(rtmp, streamKey)],
  ['gstreamer-srt', gstreamerSrtCommand(srt)],
])('docs/encoders.md shows the same command as the page of a stream: %s', (name, command) => {
  const [, documentedCommand] =
    new RegExp(`<!-- ${name} -->\\n\\n\`\`\`sh\\n([^]*?)\\n\`\`\``).exec(text) ?? [];
  expect(documentedCommand).toBe(command);
});
