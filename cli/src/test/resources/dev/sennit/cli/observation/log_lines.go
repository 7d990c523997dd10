// Logs five lines for each request, on whichever thread the goroutine happens to be.
package main

import (
	"fmt"
	"log"
	"net"
	"net/http"
	"time"
)

func main() {
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println("port", listener.Addr().(*net.TCPAddr).Port)
	http.HandleFunc("/", func(response http.ResponseWriter, request *http.Request) {
		for line := 1; line <= 5; line++ {
			log.Printf("request %s line %d", request.URL.Path[1:], line)
			time.Sleep(2 * time.Millisecond)
		}
	})
	log.Fatal(http.Serve(listener, nil))
}
