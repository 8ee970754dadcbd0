import type { Command } from 'commander';
import { explainObservations } from '@/lib/core/webrtc/rtc-findings';
import { readOperatorSettings } from '@/lib/infra/env';

type Print = (...cells: string[]) => void;

export function addRtcCommands(program: Command, print: Print): void {
  program
    .command('rtc:check')
    .description(
      'connect by WHIP as an encoder does, without media, and say which port is blocked; exit with 1 if one is',
    )
    .requiredOption('--stream-key <key>', 'key of a stream that is not live')
    .option('--url <url>', 'URL of the media server (default: CDN_URL)')
    .action(async ({ streamKey, url }: { streamKey: string; url?: string }) => {
      const mediaUrl = (url ?? readOperatorSettings().cdnUrl).replace(/\/+$/, '');
      // The native library is loaded by this command only.
      const { tryToConnect } = await import('./rtc-check');
      const { works, findings } = explainObservations(await tryToConnect(mediaUrl, streamKey));
      for (const { message } of findings) print(message);
      // The process would not end by itself, because threads of the library outlive its connections.
      process.exit(works ? 0 : 1);
    });
}
