import { expect, test } from 'vitest';
import { formatSubtitlePlaylist, addSubtitles } from './subtitles';

const masterPlaylist =
  '#EXTM3U\n#EXT-X-VERSION:7\n#EXT-X-STREAM-INF:BANDWIDTH=1,CODECS="avc1"\nsource/index.m3u8\n#EXT-X-STREAM-INF:BANDWIDTH=2\nsmall/index.m3u8\n';
const track = {
  id: 'one',
  kind: 'subtitles',
  language: 'de',
  label: 'Deutsch "x"',
  isDefault: true,
} as const;

test('every rendition has the text tracks, which are listed before the renditions', () => {
  const captions = {
    ...track,
    id: 'two',
    kind: 'captions',
    label: 'English',
    language: 'en',
    isDefault: false,
  } as const;
  expect(addSubtitles(masterPlaylist, [track, captions])).toBe(
    [
      '#EXTM3U',
      '#EXT-X-VERSION:7',
      '#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="subtitles",NAME="Deutsch ”x”",LANGUAGE="de",DEFAULT=YES,AUTOSELECT=YES,FORCED=NO,URI="tracks/one.m3u8"',
      '#EXT-X-MEDIA:TYPE=SUBTITLES,GROUP-ID="subtitles",NAME="English",LANGUAGE="en",DEFAULT=NO,AUTOSELECT=YES,FORCED=NO,CHARACTERISTICS="public.accessibility.transcribes-spoken-dialog,public.accessibility.describes-music-and-sound",URI="tracks/two.m3u8"',
      '#EXT-X-STREAM-INF:BANDWIDTH=1,CODECS="avc1",SUBTITLES="subtitles"',
      'source/index.m3u8',
      '#EXT-X-STREAM-INF:BANDWIDTH=2,SUBTITLES="subtitles"',
      'small/index.m3u8',
      '',
    ].join('\n'),
  );
});

test('a master playlist without text tracks is unchanged', () => {
  expect(addSubtitles(masterPlaylist, [])).toBe(masterPlaylist);
});

test('a text track has one segment as long as the video', () => {
  expect(formatSubtitlePlaylist('one', 62.5)).toBe(
    '#EXTM3U\n#EXT-X-VERSION:7\n#EXT-X-TARGETDURATION:63\n#EXT-X-PLAYLIST-TYPE:VOD\n#EXTINF:62.500,\none.vtt\n#EXT-X-ENDLIST\n',
  );
});
