/**
 * Evaluates a source in an isolate of this process and prints how it ended, in the host's words. Arguments: the guest
 * image, heap words, the source. Ends by SIGKILL, since an isolate that V8 gave up never lets its process go.
 */
import { writeSync } from 'node:fs';
import { openGuestIsolate } from '../../host/guest-isolate.ts';
import { loadSnapshotImage, readGuestImage } from '../../host/snapshot.ts';
import { evaluation } from '../../testing/requests.ts';

const [, , imageFile = '', heapWords = '', source = ''] = process.argv;
const image = loadSnapshotImage(await readGuestImage(imageFile, 'mission'));
const isolate = openGuestIsolate(image, Number(heapWords));
const request = { load: '', text: JSON.stringify(evaluation(source)), timeoutMs: 600_000, wantsHeap: false };
const answer = await isolate.request(request, () => Promise.resolve(''));
writeSync(1, answer.type === 'ended' ? answer.ending : JSON.stringify(answer));
process.kill(process.pid, 'SIGKILL');
