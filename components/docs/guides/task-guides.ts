import type { ServiceUrls, TaskGuide } from './guide-steps';
import { goLive, restream } from './live-guides';
import { receiveWebhook, signPlayback, uploadFromBrowser } from './web-guides';

/** The guides, with the URLs of this service in their code. */
export const taskGuides = (urls: ServiceUrls): readonly TaskGuide[] => [
  goLive(urls),
  uploadFromBrowser(urls),
  signPlayback(urls),
  receiveWebhook(urls),
  restream(urls),
];
