export { deleteFiles, holdFiles } from './hold-files';
