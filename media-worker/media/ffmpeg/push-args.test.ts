import { expect, test } from 'vitest';
import { parseMuxedUrl } from '@/lib/core/targets/target-url';
import { pushPlan, pushSecrets } from './push-args';

function destinationOf(url: string) {
  const destination = parseMuxedUrl(url);
  if (typeof destination === 'string') throw new Error(destination);
  return destination;
}
const plan = (url: string, address: string) =>
  pushPlan({ destination: destinationOf(url), address, secretsFile: '/run/options' });

test('RTMP goes to the relay as FLV without re-encoding', () => {
  const { inputs, outputs } = plan('rtmps://a.example/app/sesame?x=1', '127.0.0.1:5');
  expect(inputs).toEqual([
    { options: ['-fpsprobesize', '0', '-analyzeduration', '1000000', '-f', 'flv'], url: 'pipe:0' },
  ]);
  expect(outputs.map(({ url }) => url)).toEqual(['rtmp://127.0.0.1:5/']);
  expect(outputs[0]?.options.join(' ')).toBe(
    '-map 0 -c copy -fpre /run/options -flvflags no_duration_filesize -f flv',
  );
});

test('SRT goes to the checked address as MPEG-TS', () => {
  const [output] = plan('srt://a.example:9000?streamid=sesame', '192.0.2.1:9000').outputs;
  expect(output?.url).toBe('srt://192.0.2.1:9000?mode=caller');
  expect(output?.options.slice(-2)).toEqual(['-f', 'mpegts']);
});

test.each(['rtmp://a.example/app/sesame', 'srt://a.example:1?streamid=sesame&passphrase=sesame1234'])(
  'the command line contains no secret: %s',
  (url) => {
    expect(JSON.stringify(plan(url, '127.0.0.1:5'))).not.toContain('sesame');
  },
);

test('the option file contains the secrets, one option per line, without empty ones', () => {
  expect(pushSecrets(destinationOf('rtmps://a.example:443/app/inst/key?x=a=b'))).toBe(
    'rtmp_app=app/inst\nrtmp_playpath=key?x=a=b\nrtmp_tcurl=rtmps://a.example:443/app/inst\n',
  );
  expect(pushSecrets(destinationOf('rtmp://a.example/app'))).toBe(
    'rtmp_app=app\nrtmp_tcurl=rtmp://a.example/app\n',
  );
  expect(pushSecrets(destinationOf('srt://a.example:1?passphrase=p&latency=5'))).toBe(
    'passphrase=p\nlatency=5\n',
  );
});
