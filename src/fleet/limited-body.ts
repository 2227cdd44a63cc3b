/** What a hub answers, as far as it may be long: counted as it is unpacked, so that nothing small becomes endless. */

/** Throws for more than so many bytes, and lets the connection go. */
export async function limitedBody(response: Response, most: number): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let length = 0
  // Leaving the loop ends the connection.
  for await (const chunk of response.body ?? []) {
    length += chunk.length
    if (length > most) throw new Error(`its answer is longer than ${most} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks, length)
}
