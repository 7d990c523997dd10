// A server that asks another before it answers; which thread does what is the runtime's business.
package main

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
)

func main() {
	backend := "http://127.0.0.1:" + os.Args[1]
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		panic(err)
	}
	fmt.Println("port", listener.Addr().(*net.TCPAddr).Port)
	panic(http.Serve(listener, http.HandlerFunc(func(out http.ResponseWriter, request *http.Request) {
		response, err := http.Get(backend + request.URL.Path)
		if err != nil {
			out.WriteHeader(http.StatusBadGateway)
			return
		}
		io.Copy(io.Discard, response.Body)
		response.Body.Close()
		io.WriteString(out, "done")
	})))
}
