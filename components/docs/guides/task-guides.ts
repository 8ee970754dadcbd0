import type { ServiceUrls, TaskGuide } from './guide-steps';
import { goLiveGuide, multistreamGuide } from './live-guides';
import { receiveWebhookGuide, signPlaybackGuide, uploadFromBrowserGuide } from './web-guides';

/** The guides, with the URLs of this service in their code. */
export const taskGuides = (urls: ServiceUrls): readonly TaskGuide[] => [
  goLiveGuide(urls),
  uploadFromBrowserGuide(urls),
  signPlaybackGuide(urls),
  receiveWebhookGuide(urls),
  multistreamGuide(urls),
];
