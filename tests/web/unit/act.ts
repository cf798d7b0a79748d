// Does something and waits until Preact has drawn what follows from it.
export async function act(work: () => unknown): Promise<void> {
  await work();
  for (let turn = 0; turn < 3; ++turn) await new Promise((resolve) => setTimeout(resolve, 10));
}
