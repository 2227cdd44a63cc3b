/** Reads a hub's response with a size limit, counted after decompression. */

/** Throws beyond this many bytes and closes the connection. */
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
