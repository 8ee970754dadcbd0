export { announceNode, type NodeIdentity } from './announce-node';
export { findNodes } from './find-nodes';
export { removeStaleNodes } from './remove-stale-nodes';
export { withdrawNode } from './withdraw-node';
