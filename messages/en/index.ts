import { access } from './access';
import { admin } from './admin';
import { assets } from './assets';
import { audience } from './audience';
import { auth } from './auth';
import { clips } from './clips';
import { home } from './home';
import { keys } from './keys';
import { nodes } from './nodes';
import { palette } from './palette';
import { player } from './player';
import { reasons } from './reasons';
import { sessions } from './sessions';
import { settings } from './settings';
import { shell } from './shell';
import { site } from './site';
import { streams } from './streams';
import { targets } from './targets';
import { tasks } from './tasks';
import { ui } from './ui';
import { upload } from './upload';
import { usage } from './usage';
import { webhooks } from './webhooks';

/** English texts of the pages in ICU message format, one file per area. Other languages have the same keys. */
export const en = {
  access,
  admin,
  assets,
  audience,
  auth,
  clips,
  home,
  keys,
  nodes,
  palette,
  player,
  reasons,
  sessions,
  settings,
  shell,
  site,
  streams,
  targets,
  tasks,
  ui,
  upload,
  usage,
  webhooks,
} as const;
