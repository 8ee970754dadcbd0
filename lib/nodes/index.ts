export { announceNode, type NodeIdentity } from './announce-node';
export { removeStaleNodes } from './remove-stale-nodes';
export { withdrawNode } from './withdraw-node';
