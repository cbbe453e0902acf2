/**
 * `proxy-server.mjs <port> <key> <certificate> <name=port>...`: a proxy that connects to these names alone, each a server of
 * this machine that is given HTTPS, and refuses all others. `GET /connected` lists what it was asked for.
 */
import { readFileSync } from "node:fs"
import { createServer, request } from "node:http"
import { createServer as createTlsServer } from "node:https"
import { connect } from "node:net"

const [port, keyFile, certFile, ...names] = process.argv.slice(2)
const [key, cert] = [readFileSync(keyFile), readFileSync(certFile)]
const connected = []

/** Answers as the server at the port does, over HTTPS. */
const overTls = (target) =>
  new Promise((listening) => {
    const server = createTlsServer({ key, cert }, (question, answer) => {
      const { method, url } = question
      // The sandbox answers to its own name alone.
      const headers = { ...question.headers, host: `127.0.0.1:${target}` }
      const asked = request(
        { host: "127.0.0.1", port: target, method, path: url, headers },
        (said) => said.pipe(answer.writeHead(said.statusCode, said.rawHeaders)),
      )
      asked.once("error", () => answer.destroy())
      question.pipe(asked)
    })
    server.listen(0, "127.0.0.1", () => listening(server.address().port))
  })

const ports = new Map()
for (const one of names) {
  const [name, target] = one.split("=")
  ports.set(`${name}:443`, await overTls(Number(target)))
}

const proxy = createServer((_question, answer) => answer.end(JSON.stringify(connected)))
proxy.on("connect", (question, socket) => {
  connected.push(question.url)
  socket.on("error", () => undefined)
  const target = ports.get(question.url)
  if (target === undefined) return socket.end("HTTP/1.1 403 Forbidden\r\n\r\n")
  const there = connect(target, "127.0.0.1", () => {
    socket.write("HTTP/1.1 200 OK\r\n\r\n")
    there.pipe(socket).pipe(there)
  })
  there.on("error", () => socket.destroy())
})
proxy.listen(Number(port), "127.0.0.1", () => process.send({ ready: true }))
