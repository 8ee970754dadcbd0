export { deleteFiles, preventFileDeletion } from './file-deletion';
